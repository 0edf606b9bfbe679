// title: What runs before what?
// description: The order of stages, passes and calls as far as it is known, with the reason
MATCH (first:Concept)-[before:RUNS_BEFORE]->(second:Concept)
RETURN first.name AS first, second.name AS second, before.reason AS reason
ORDER BY first, second
