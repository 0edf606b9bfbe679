// title: What is set against what?
// description: Pairs of concepts that are two ways to one end, with the reason
// job: What a thing opens and is made of
MATCH (way:Concept)-[against:ALTERNATIVE_TO]->(rival:Concept)
RETURN way.name AS one, rival.name AS other, against.reason AS reason, against.origin AS origin
ORDER BY one, other
