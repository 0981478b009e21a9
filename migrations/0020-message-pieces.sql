-- A large body on its way into `message`, which it enters as a whole at the end of the same transaction:
-- whoever sends it to the database needs the memory of one piece, not of the body three times. Nothing
-- is ever committed here, so nothing of it needs to survive.
create unlogged table message_piece (
  body uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (body, number)
);

-- It is read once, so it is not worth being compressed.
alter table message_piece alter column bytes set storage external;
