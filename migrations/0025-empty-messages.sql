-- A message in which there was nothing to store says so by a state of its own.
alter table message drop constraint message_state_check,
  add constraint message_state_check
    check (state in ('accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'));
