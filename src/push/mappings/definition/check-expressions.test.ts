import { describe, expect, it } from 'vitest'
import { loaded } from '../../../../test/fixtures/loaded-mapping.ts'
import { checkExpressions } from './check-expressions.ts'

async function faultsOf(each: string) {
  const faults: { reason: string; offset: number | undefined }[] = []
  await checkExpressions(loaded({ each }), (_path, reason, offset) => {
    faults.push({ reason, offset })
  })
  return faults
}

describe('checkExpressions', () => {
  it.each([
    ['$lokup("a", b)', 0, 'there is no function $lokup; did you mean $lookup?'],
    ['x ~> $nope', 5, 'there is no function $nope'],
    ['x ~> $nope ~> $uppercase', 5, 'there is no function $nope'],
    ['$map(a, $nope)', 8, 'there is no function $nope'],
    ['a ~> $map($nope)', 10, 'there is no function $nope'],
    ['$filter(a, $nope)', 11, 'there is no function $nope'],
    ['$each(a, $nope)', 9, 'there is no function $nope'],
    ['$sift(a, $nope)', 9, 'there is no function $nope'],
    ['$reduce(a, $nope, 1)', 11, 'there is no function $nope'],
    ['{"a": [b.$map(c, $nope)]}', 17, 'there is no function $nope'],
    ['$eval("1")', 0, 'the function $eval is not offered in mappings'],
    ['1 + $random()', 4, 'the function $random is not offered in mappings'],
    ['a ~> $shuffle', 5, 'the function $shuffle is not offered in mappings'],
    ['$map(a, $random)', 8, 'the function $random is not offered in mappings'],
  ])('reports the unavailable function in %s', async (each, offset, reason) => {
    expect(await faultsOf(each)).toEqual([{ reason: expect.stringContaining(reason), offset }])
  })

  it.each([
    'x ~> $uppercase',
    '$map(a, $num)',
    'a ~> $map($uppercase) ~> $count',
    '($f := function($x) { $x }; $map(a, $f))',
    '($random := function() { 4 }; $random())',
    '($f := $uppercase ~> $trim; x ~> $f)',
    'function($f) { $map(a, $f) }',
    '$sort(a, function($l, $r) { $l > $r })',
    'a@$v.b#$i.{"v": $sort($v), "i": $map($i, $string)}',
    '$map($, $string) ~> $append($map($$, $string))',
    '$map($payload, $string)',
    'x ~> |a|{"b": 1}|',
  ])('finds nothing wrong with %s', async (each) => {
    expect(await faultsOf(each)).toEqual([])
  })
})
