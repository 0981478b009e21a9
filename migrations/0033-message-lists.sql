-- Lists of messages and the overview of streams read an index alone: a scan of the messages themselves would read
-- their bodies, too.

-- Of the body, decompressed; null: another node stored the message before it had this version.
alter table message add column bytes integer;

update message set bytes = octet_length(body);

drop index message_stream;

-- A push still writes one entry for it, of some 50 bytes more.
create index message_stream on message (stream, received, id) include (state, sender, bytes);
