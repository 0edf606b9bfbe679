// title: What is set against what?
// description: Pairs of concepts that are two ways to one end, with the reason
MATCH (one:Concept)-[against:ALTERNATIVE_TO]->(other:Concept)
RETURN one.name AS one, other.name AS other, against.reason AS reason, against.origin AS origin
ORDER BY one, other
