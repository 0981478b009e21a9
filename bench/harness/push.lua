-- Posts the same body each time. Arguments: file with the body, bearer token.
function init(args)
  local file = io.open(args[1], 'rb')
  wrk.method = 'POST'
  wrk.body = file:read('*a')
  wrk.headers['Authorization'] = 'Bearer ' .. args[2]
  wrk.headers['Content-Type'] = 'application/json'
  file:close()
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\nanswers %d microseconds %d failed %d\n',
    summary.requests, summary.duration, failed))
end
