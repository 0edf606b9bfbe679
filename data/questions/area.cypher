// title: Which episodes are about this area?
// description: Episodes with main subjects in an area, those with the most such subjects first
// job: Find an episode
// param: area (area, e.g. Autograd): the area
MATCH (episode:Episode)-[:TEACHES {depth: 'main'}]->(concept:Concept {area: $area})
RETURN episode.id AS id, episode.number AS number, episode.title AS title, count(DISTINCT concept.id) AS subjects
ORDER BY subjects DESC, id
