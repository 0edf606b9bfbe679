// title: Where is this explained?
// description: The episodes that teach a concept, with the second at which they do
// job: Find an episode
// param: concept (concept, e.g. dispatcher): the concept
MATCH (episode:Episode)-[teaches:TEACHES]->(:Concept {id: $concept})
RETURN episode.id AS id, episode.title AS title, teaches.depth AS depth, teaches.weight AS weight, teaches.at AS second
ORDER BY weight DESC, id
