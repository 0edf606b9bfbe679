// title: Where can I begin?
// description: Episodes with a main subject that needs no other episode, those that take the least for granted first, then the shortest
// job: Find an episode
// param: limit (integer, e.g. 10): how many to list
MATCH (episode:Episode)-[:TEACHES {depth: 'main'}]->(concept:Concept)
WHERE NOT EXISTS { MATCH (concept)-[:REQUIRES {need: 'hear'}]->(:Concept) }
OPTIONAL MATCH (episode)-[:ASSUMES]->(assumed:Concept)
WITH episode, count(DISTINCT concept.id) AS subjects, count(DISTINCT assumed.id) AS assumes
RETURN episode.id AS id, episode.title AS title, episode.minutes AS minutes, subjects AS subjects, assumes AS assumes
ORDER BY assumes, minutes, id
LIMIT $limit
