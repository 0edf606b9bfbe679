// title: What runs before what?
// description: The order of stages, passes and calls as far as it is known, with the reason
// job: What a thing opens and is made of
MATCH (stage:Concept)-[before:RUNS_BEFORE]->(next:Concept)
RETURN stage.name AS first, next.name AS second, before.reason AS reason
ORDER BY first, second
