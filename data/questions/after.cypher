// title: What does this open up?
// description: The concepts that lean on a concept, at most three steps up, the nearest first
// job: What a thing opens and is made of
// param: concept (concept, e.g. dispatcher): the concept
MATCH path = (higher:Concept)-[:REQUIRES*1..3]->(:Concept {id: $concept})
WHERE higher.id <> $concept
RETURN higher.id AS id, higher.name AS name, higher.area AS area, min(length(path)) AS steps
ORDER BY steps, id
