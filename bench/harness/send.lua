-- Sends a body each time. Arguments: method, path, file with the body, bearer token, and the lowest
-- and highest number that is put after the path; without them the path is written to as it is. @ in the
-- body is a number drawn anew each time.
local method, path, body, low, high

function init(args)
  method, path, low, high = args[1], args[2], tonumber(args[5]), tonumber(args[6])
  local file = io.open(args[3], 'rb')
  body = file:read('*a')
  file:close()
  wrk.headers['Authorization'] = 'Bearer ' .. args[4]
  wrk.headers['Content-Type'] = 'application/json'
  math.randomseed(os.time())
end

function request()
  local address = low and path .. math.random(low, high) or path
  return wrk.format(method, address, nil, (body:gsub('@', math.random(1, 1e9))))
end

-- One example of what went wrong says more than how often.
local complained = false
function response(status, headers, answer)
  if status >= 300 and not complained then
    complained = true
    io.write('\n' .. status .. ' ' .. answer .. '\n')
  end
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\nanswers %d microseconds %d failed %d\n',
    summary.requests, summary.duration, failed))
end
