-- Asks for the prefix with a number drawn anew each time. Arguments: prefix, lowest, highest number.
local prefix, low, high

function init(args)
  prefix, low, high = args[1], tonumber(args[2]), tonumber(args[3])
  math.randomseed(os.time())
end

function request()
  return wrk.format(nil, prefix .. math.random(low, high))
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\nanswers %d bytes %d microseconds %d failed %d\n',
    summary.requests, summary.bytes, summary.duration, failed))
end
