// title: Who was a guest?
// description: Guests and the episodes that they speak in
// job: Find an episode
MATCH (episode:Episode)
UNWIND episode.guests AS guest
RETURN guest AS guest, episode.number AS number, episode.title AS title
ORDER BY guest, number, title
