// title: What has changed since?
// description: What episodes of a year or earlier say that no longer holds, and what does now
// job: How episodes hang together
// param: year (string, e.g. 2022): the last year that counts
MATCH (episode:Episode)
WHERE episode.published IS NOT NULL AND left(episode.published, 4) <= $year
UNWIND episode.dated AS today
RETURN episode.id AS id, episode.published AS published, episode.title AS title, today AS today
ORDER BY published DESC, id, today
