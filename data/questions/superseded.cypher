// title: What has had its day?
// description: Concepts that another one has superseded, and how many episodes still teach the old one
// job: What a thing opens and is made of
MATCH (past:Concept)-[by:SUPERSEDED_BY]->(better:Concept)
OPTIONAL MATCH (episode:Episode)-[:TEACHES]->(past)
RETURN past.name AS old, better.name AS successor, by.reason AS reason, count(DISTINCT episode.id) AS episodes
ORDER BY episodes DESC, old, successor
