// title: What does this rest on?
// description: The concepts below a concept, at most three steps down, the nearest first
// job: What comes first
// param: concept (concept, e.g. aotautograd): the concept
MATCH path = (:Concept {id: $concept})-[:REQUIRES*1..3]->(needed:Concept)
WHERE needed.id <> $concept
RETURN needed.id AS id, needed.name AS name, min(length(path)) AS steps, needed.definition AS definition
ORDER BY steps, id
