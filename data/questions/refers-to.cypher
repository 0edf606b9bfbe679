// title: Who points to this episode?
// description: The episodes in which the speaker names an episode, how, and at which second
// job: How episodes hang together
// param: episode (episode, e.g. 2): the episode that is named
MATCH (speaker:Episode)-[refers:REFERS_TO]->(:Episode {id: $episode})
RETURN speaker.id AS id, speaker.title AS title, refers.relation AS relation, refers.at AS second
ORDER BY id
