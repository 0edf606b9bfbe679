// title: What lives in this part of the source?
// description: Concepts whose code is below a path of the source tree, and how many episodes teach them
// job: What a thing opens and is made of
// param: path (string, e.g. torch/_inductor): a path in the repository
MATCH (concept:Concept)
UNWIND concept.source_paths AS file
WITH concept, file
WHERE file STARTS WITH $path
OPTIONAL MATCH (episode:Episode)-[:TEACHES]->(concept)
RETURN concept.id AS id, concept.name AS name, file AS file, count(DISTINCT episode.id) AS episodes
ORDER BY file, id
