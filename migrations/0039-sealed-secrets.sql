-- Secrets are texts, so that they can be stored encrypted (HUB_KEY).
alter table identity_key alter column private_jwk type text using private_jwk::text;

alter table feed_epoch
  alter column secret drop default,
  alter column secret type text using encode(secret, 'hex'),
  alter column secret set default
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex');
