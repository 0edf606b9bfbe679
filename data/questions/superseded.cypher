// title: What has had its day?
// description: Concepts that another one has superseded, and how many episodes still teach the old one
MATCH (old:Concept)-[by:SUPERSEDED_BY]->(successor:Concept)
OPTIONAL MATCH (episode:Episode)-[:TEACHES]->(old)
RETURN old.name AS old, successor.name AS successor, by.reason AS reason, count(DISTINCT episode.id) AS episodes
ORDER BY episodes DESC, old, successor
