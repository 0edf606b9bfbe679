// title: Why does this come before that?
// description: Every step on the ways from a concept down to one that it needs, the shortest ways first and each from the top
// job: What comes first
// param: concept (concept, e.g. aotautograd): the later concept
// param: needed (concept, e.g. strides): the earlier concept
MATCH above = (:Concept {id: $concept})-[:REQUIRES*0..5]->(later:Concept)
MATCH (later)-[step:REQUIRES]->(earlier:Concept)
MATCH below = (earlier)-[:REQUIRES*0..5]->(:Concept {id: $needed})
RETURN later.name AS later, earlier.name AS earlier, step.reason AS reason,
       min(length(above)) + 1 + min(length(below)) AS chain, min(length(above)) AS place
ORDER BY chain, place, later, earlier
