// title: Which concepts join two areas?
// description: Concepts of one area that require, or are required by, concepts of another
// job: Read further, and see the gaps
// param: area (area, e.g. Autograd): one of the areas
// param: other (area, e.g. Compilation): the other area
MATCH (concept:Concept {area: $area})-[:REQUIRES]-(neighbour:Concept {area: $other})
RETURN concept.id AS id, concept.name AS name, count(DISTINCT neighbour.id) AS neighbours
ORDER BY neighbours DESC, id
