// title: What is near this episode, and why?
// description: The nearest episodes with their reasons, the best first
// job: How episodes hang together
// param: episode (episode, e.g. 45): the episode
MATCH (:Episode {id: $episode})-[near:RELATED_TO]->(other:Episode)
RETURN other.id AS id, other.title AS title, near.score AS score, near.reasons AS reasons
ORDER BY score DESC, id
