// title: What do two episodes have in common?
// description: The concepts that two episodes both teach or assume
// param: one (integer, e.g. 45): the number of an episode
// param: two (integer, e.g. 62): the number of the other one
MATCH (:Episode {number: $one})-[:TEACHES|ASSUMES]->(concept:Concept)
MATCH (:Episode {number: $two})-[:TEACHES|ASSUMES]->(concept)
RETURN DISTINCT concept.id AS id, concept.name AS name, concept.area AS area
ORDER BY id
