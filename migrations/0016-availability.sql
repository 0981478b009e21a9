-- What the stored provider of free rooms answers from (decision D39): rooms, what they may be booked as,
-- and a calendar of what is free.

create table availability_room (
  id integer generated always as identity primary key,
  -- Identifier of the accommodation, in upper case as its record has it. There may be no record yet.
  accommodation text collate "C" not null check (accommodation <> ''),
  room text collate "C" not null check (room <> ''),
  -- As in roominfo: 0 not said, 1 room, 2 apartment, 4 pitch or tent, 8 dormitory.
  type smallint not null check (type in (0, 1, 2, 4, 8)),
  -- Guests, children too.
  min_guests smallint not null default 1 check (min_guests >= 1),
  std_guests smallint,
  max_guests smallint not null check (max_guests >= min_guests),
  -- Texts by language.
  title jsonb not null default '{}',
  description jsonb not null default '{}',
  pictures text[] not null default '{}',
  active boolean not null default true,
  -- Of the youngest message that described the room (decision D53).
  received timestamptz not null,
  unique (accommodation, room)
);

-- What a room may be booked as: on one channel with one board. Plans come and go with their room.
create table availability_plan (
  room_id integer not null references availability_room,
  plan text collate "C" not null check (plan <> ''),
  channel text collate "C" not null,
  board text collate "C" not null check (board in ('ws', 'bb', 'hb', 'fb', 'ai')),
  -- Whether the price is for each guest, or for the room.
  per_guest boolean not null,
  -- Cents a night, where the calendar has no other price; null where only the calendar has prices.
  price bigint check (price >= 0),
  -- What guests up to an age pay: [[age, percent], …], ages upwards.
  children jsonb not null default '[]',
  -- Where it can be booked.
  link text,
  primary key (room_id, plan)
);

-- One night of a room; the key is how a check finds the nights of a stay. A night without a row is not
-- free. The day of departure is looked up too.
create table availability_day (
  room_id integer not null references availability_room,
  day date not null,
  free smallint not null check (free >= 0),
  -- Nights that a stay must have that begins on this day.
  min_stay smallint not null check (min_stay >= 1),
  closed_to_arrival boolean not null,
  closed_to_departure boolean not null,
  -- Cents by plan, in the place of the prices of the plans; null where there is none.
  prices jsonb,
  received timestamptz not null,
  primary key (room_id, day)
);
