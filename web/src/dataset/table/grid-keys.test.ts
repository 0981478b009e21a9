import { expect, test } from 'vitest'
import { moveBy, widthAfter } from './grid-keys.ts'

const size = { rows: 200_000, columns: 5, page: 20 }
const press = (key: string, ctrlKey = false) =>
  moveBy({ key, ctrlKey, metaKey: false }, { row: 10, column: 2 }, size)

test('Arrow keys move from cell to cell', () => {
  expect(press('ArrowDown')).toEqual({ row: 11, column: 2 })
  expect(press('ArrowUp')).toEqual({ row: 9, column: 2 })
  expect(press('ArrowLeft')).toEqual({ row: 10, column: 1 })
  expect(press('ArrowRight')).toEqual({ row: 10, column: 3 })
})

test('Home and End move to the ends of a row, and with Control to those of the table', () => {
  expect(press('Home')).toEqual({ row: 10, column: 0 })
  expect(press('End')).toEqual({ row: 10, column: 4 })
  expect(press('Home', true)).toEqual({ row: 0, column: 0 })
  expect(press('End', true)).toEqual({ row: 199_999, column: 4 })
})

test('Page Up and Page Down move by one page, but not into the header', () => {
  expect(press('PageDown')).toEqual({ row: 30, column: 2 })
  expect(press('PageUp')).toEqual({ row: 0, column: 2 })
})

test('Arrow keys move into the header and no farther', () => {
  const up = (row: number) =>
    moveBy({ key: 'ArrowUp', ctrlKey: false, metaKey: false }, { row, column: 0 }, size)
  expect(up(0)).toEqual({ row: -1, column: 0 })
  expect(up(-1)).toEqual({ row: -1, column: 0 })
})

test('Other keys are ignored', () => {
  expect(press('a')).toBeUndefined()
})

test('Shift with an arrow key resizes a column', () => {
  expect(widthAfter({ key: 'ArrowRight', shiftKey: true }, 100)).toBe(116)
  expect(widthAfter({ key: 'ArrowLeft', shiftKey: true }, 100)).toBe(84)
  expect(widthAfter({ key: 'ArrowLeft', shiftKey: false }, 100)).toBeUndefined()
})
