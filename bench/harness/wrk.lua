-- Asks for the prefix with a number drawn anew each time, with one bearer token after the other.
-- Arguments: prefix, lowest and highest number, file with a token on each line, which may be empty,
-- what follows the number, and an entity tag, which may be empty too.
local prefix, low, high, suffix, tag
local bearers, turn = {}, 0

function init(args)
  prefix, low, high, suffix = args[1], tonumber(args[2]), tonumber(args[3]), args[5] or ''
  tag = args[6] or ''
  if tag ~= '' then wrk.headers['If-None-Match'] = tag end
  math.randomseed(os.time())
  for token in io.lines(args[4]) do
    bearers[#bearers + 1] = { ['Authorization'] = 'Bearer ' .. token }
  end
end

function request()
  turn = turn % math.max(#bearers, 1) + 1
  return wrk.format(nil, prefix .. math.random(low, high) .. suffix, bearers[turn])
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\nanswers %d bytes %d microseconds %d failed %d\n',
    summary.requests, summary.bytes, summary.duration, failed))
end
