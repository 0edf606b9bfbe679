// title: Where is this named?
// description: The episodes that name a concept without explaining it, with the words that name it
// job: How episodes hang together
// param: concept (concept, e.g. tracing): the concept
MATCH (episode:Episode)-[mentions:MENTIONS]->(:Concept {id: $concept})
RETURN episode.id AS id, episode.title AS title, mentions.count AS times, mentions.field AS field,
       mentions.evidence AS words
ORDER BY times DESC, id
