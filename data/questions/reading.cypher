// title: What is there to read about this?
// description: The links cited by episodes that have a concept as a subject, by type
// job: Read further, and see the gaps
// param: concept (concept, e.g. vmap): the concept
MATCH (episode:Episode)-[:TEACHES {depth: 'main'}]->(:Concept {id: $concept})
MATCH (episode)-[cites:CITES]->(link:Link)
RETURN DISTINCT link.type AS type, link.url AS url, cites.label AS label, episode.title AS episode
ORDER BY type, url, episode
