// title: What is worth an episode before this?
// description: The concepts without which the explanation of a concept collapses, and the episodes that have them as a subject
// job: What comes first
// param: concept (concept, e.g. aotautograd): the concept
MATCH (:Concept {id: $concept})-[needs:REQUIRES {need: 'hear'}]->(needed:Concept)
MATCH (lesson:Episode)-[teaches:TEACHES {depth: 'main'}]->(needed)
RETURN needed.id AS id, needed.name AS name, needs.reason AS reason, lesson.title AS episode, teaches.at AS second
ORDER BY id, teaches.weight DESC, lesson.id
