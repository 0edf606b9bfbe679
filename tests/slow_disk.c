/* Makes the disk below the folder $SLOW_FOLDER slow for a program that is started with this library in LD_PRELOAD: each
   reading, writing, forcing, cutting and renaming there takes $SLOW_MICROSECONDS longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void delay_at(const char *path) {
    const char *folder = getenv("SLOW_FOLDER"), *delay = getenv("SLOW_MICROSECONDS");
    if (folder && delay && strncmp(path, folder, strlen(folder)) == 0)
        usleep(atoi(delay));
}

static void delay(int file) {
    char link[40], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        delay_at(path);
    }
}

#define SLOW(type, name, parameters, arguments)                                \
    type name parameters {                                                     \
        static type (*real) parameters;                                        \
        if (!real)                                                             \
            real = (type (*) parameters)dlsym(RTLD_NEXT, #name);               \
        delay(file);                                                           \
        return real arguments;                                                 \
    }

SLOW(ssize_t, read, (int file, void *to, size_t size), (file, to, size))
SLOW(ssize_t, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at))
SLOW(ssize_t, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at))
SLOW(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
SLOW(ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))
SLOW(ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))
SLOW(int, fsync, (int file), (file))
SLOW(int, fdatasync, (int file), (file))
SLOW(int, ftruncate, (int file, off_t size), (file, size))
SLOW(int, ftruncate64, (int file, off64_t size), (file, size))

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real)
        real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    delay_at(to);
    return real(from, to);
}
