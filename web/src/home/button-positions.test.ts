import { expect, it } from 'vitest'
import { addButtonPx, buttonPositions, toolsPx } from './button-positions.ts'

const toolsLeftPx = 60

it('puts the quick button above the add button if there is enough space', () => {
  expect(buttonPositions(156, 724)).toEqual({
    add: { bottomPx: 172, rightPx: 16 },
    quick: { bottomPx: 240, rightPx: 22 },
    widthPx: 84,
  })
})

it('puts the quick button above the add button on a low map if the tools are folded', () => {
  expect(buttonPositions(28, 302, true).quick).toEqual({ bottomPx: 112, rightPx: 22 })
  expect(buttonPositions(28, 302).widthPx).toBe(196)
})

it.each([200, 362, 515, 547, 692, 724])(
  'buttons do not overlap with half of a map of %d pixels covered',
  (heightPx) => {
    const { add, quick } = buttonPositions(heightPx / 2, heightPx)
    for (const [{ bottomPx, rightPx }, sizePx] of [
      [add, addButtonPx],
      [quick, 48],
    ] as const)
      expect(heightPx - bottomPx - sizePx >= toolsPx || rightPx >= toolsLeftPx).toBe(true)
    expect(quick.rightPx >= add.rightPx + addButtonPx || quick.bottomPx >= add.bottomPx + addButtonPx).toBe(true)
  },
)
