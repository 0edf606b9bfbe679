// title: What does everybody take for granted?
// description: The concepts that the largest number of episodes assume, and how many episodes have them as a subject
// job: What comes first
// param: limit (integer, e.g. 15): how many to list
MATCH (assuming:Episode)-[:ASSUMES]->(concept:Concept)
OPTIONAL MATCH (episode:Episode)-[:TEACHES {depth: 'main'}]->(concept)
RETURN concept.id AS id, concept.name AS name, count(DISTINCT assuming.id) AS assumed_by,
       count(DISTINCT episode.id) AS taught_by
ORDER BY assumed_by DESC, id
LIMIT $limit
