// title: What do the speakers ask to hear first?
// description: Pairs of episodes: the author or a speaker of the later one names the earlier one as worth hearing first
// job: What comes first
MATCH (later:Episode)-[after:LISTEN_AFTER]->(earlier:Episode)
RETURN later.title AS episode, earlier.title AS hear_first, after.origin AS origin, after.quote AS quote
ORDER BY later.id, earlier.id
