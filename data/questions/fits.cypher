// title: What can I hear in the time I have?
// description: Episodes of at most so many minutes with a main subject in an area, the longest first
// job: Find an episode
// param: minutes (integer, e.g. 14): how long you have
// param: area (area, e.g. Tensors and storage): the area
MATCH (episode:Episode)-[:TEACHES {depth: 'main'}]->(:Concept {area: $area})
WHERE episode.minutes <= $minutes
RETURN DISTINCT episode.id AS id, episode.title AS title, episode.minutes AS minutes
ORDER BY minutes DESC, id
