// title: Which episodes cite this?
// description: The episodes whose notes link to an address that contains these letters, such as a pull request
// job: How episodes hang together
// param: part (string, e.g. github.com/pytorch): a part of the link's address
MATCH (episode:Episode)-[cites:CITES]->(link:Link)
WHERE link.url CONTAINS $part
RETURN episode.id AS id, episode.title AS title, link.url AS url, cites.label AS label
ORDER BY id, url
