-- Addresses from which users have proved who they are, so that a restart or another node does not take them for
-- strangers whose tries pause while others guess. The key is a hash of the name and the address.

create table identity_known_address (
  key text primary key,
  seen timestamptz not null
);
