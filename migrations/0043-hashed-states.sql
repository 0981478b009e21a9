-- Tokens, codes and cookies of the token service are stored as hashes only: who reads the database cannot send them.
update identity_state
set id = case model when 'Grant' then id else encode(sha256(convert_to(id, 'UTF8')), 'hex') end,
  payload = (payload - 'jti') #- '{session,cookie}';
