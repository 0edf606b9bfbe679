// title: What do two episodes have in common?
// description: The concepts that two episodes both teach or assume
// job: How episodes hang together
// param: one (episode, e.g. 45): an episode
// param: two (episode, e.g. 62): the other one
MATCH (:Episode {id: $one})-[:TEACHES|ASSUMES]->(concept:Concept)
MATCH (:Episode {id: $two})-[:TEACHES|ASSUMES]->(concept)
RETURN DISTINCT concept.id AS id, concept.name AS name, concept.area AS area
ORDER BY id
