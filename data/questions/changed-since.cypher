// title: What has changed since?
// description: Statements of episodes up to a year that no longer hold, and what holds now
// job: How episodes hang together
// param: year (string, e.g. 2022): the last year that counts
MATCH (episode:Episode)
WHERE episode.published IS NOT NULL AND left(episode.published, 4) <= $year
UNWIND episode.dated AS today
RETURN episode.id AS id, episode.published AS published, episode.title AS title, today AS today
ORDER BY published DESC, id, today
