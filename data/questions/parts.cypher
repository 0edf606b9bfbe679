// title: What is this made of?
// description: The parts of a concept, what each one is, and how many episodes have it as a subject
// job: What a thing opens and is made of
// param: concept (concept, e.g. pt2): the whole
MATCH (part:Concept)-[is:PART_OF]->(:Concept {id: $concept})
OPTIONAL MATCH (episode:Episode)-[:TEACHES {depth: 'main'}]->(part)
RETURN part.id AS id, part.name AS name, part.definition AS definition, count(DISTINCT episode.id) AS episodes
ORDER BY episodes DESC, id
