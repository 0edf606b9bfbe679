// title: What is assumed but never taught?
// description: Concepts that episodes lean on and no episode explains, the most assumed first
// job: Read further, and see the gaps
MATCH (episode:Episode)-[:ASSUMES]->(concept:Concept)
WHERE NOT EXISTS { MATCH (:Episode)-[:TEACHES]->(concept) }
RETURN concept.id AS id, concept.name AS name, count(DISTINCT episode.id) AS assumed_by
ORDER BY assumed_by DESC, id
