// title: Which episode answers my question?
// description: Questions that episodes answer and that contain these letters, in upper or lower case
// job: Find an episode
// param: words (string, e.g. memory): some letters of the question
MATCH (episode:Episode)
UNWIND episode.questions AS question
WITH episode, question
WHERE lower(question) CONTAINS lower($words)
RETURN episode.id AS id, episode.title AS title, question AS question
ORDER BY id, question
