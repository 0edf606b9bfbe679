// title: Which concepts do most others require?
// description: The concepts that the largest number of others require directly
// job: What comes first
// param: limit (integer, e.g. 15): how many to list
MATCH (above:Concept)-[:REQUIRES]->(concept:Concept)
RETURN concept.id AS id, concept.name AS name, concept.area AS area, count(DISTINCT above.id) AS required_by
ORDER BY required_by DESC, id
LIMIT $limit
