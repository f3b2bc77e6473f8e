interface ButtonPosition {
  /** The distance from the bottom and the right edge of the map, in pixels. */
  bottomPx: number
  rightPx: number
}

export const addButtonPx = 60
const quickButtonPx = 48
const gapPx = 16
/** The height of the tools at the right edge of the map, from the top: of all of them, and of the button that replaces them. */
export const toolsPx = 236
const foldedToolsPx = 68

interface ButtonPositions {
  add: ButtonPosition
  quick: ButtonPosition
  /** The width of both buttons at the bottom edge, with their margins, in pixels. */
  widthPx: number
}

/**
 * Returns the positions of the two buttons above the covered part of the map: the add button, and the quick button
 * above it, or next to it if the tools leave too little space.
 */
export function buttonPositions(coveredPx: number, mapHeightPx: number, areToolsFolded = false): ButtonPositions {
  const besideToolsPx = areToolsFolded ? foldedToolsPx : toolsPx
  const bottomPx = coveredPx + gapPx
  const aboveAddPx = bottomPx + addButtonPx + gapPx / 2
  const fits = (topPx: number) => mapHeightPx === 0 || mapHeightPx - topPx >= besideToolsPx
  const add = { bottomPx, rightPx: fits(bottomPx + addButtonPx) ? gapPx : gapPx + 56 }
  const addLeftPx = add.rightPx + addButtonPx + gapPx / 2
  if (fits(aboveAddPx + quickButtonPx)) {
    return { add, quick: { bottomPx: aboveAddPx, rightPx: 22 }, widthPx: addLeftPx }
  }
  return { add, quick: { bottomPx: bottomPx + 6, rightPx: addLeftPx }, widthPx: addLeftPx + quickButtonPx + gapPx / 2 }
}
