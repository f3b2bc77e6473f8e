/** How an image is drawn: scaled around its center, then moved by `x` and `y` pixels. */
interface View {
  scale: number
  x: number
  y: number
}

export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export const scales = { min: 1, max: 6, doubleTap: 2.5, step: 1.5 } as const

/** The whole image. */
export const wholeImage: View = { scale: 1, x: 0, y: 0 }

/** Zooms by `factor`, so that the image point under `at` stays there. `at` is relative to the center of the frame. */
export function zoomed(view: View, factor: number, at: Point): View {
  const scale = Math.min(scales.max, Math.max(scales.min, view.scale * factor))
  const ratio = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }
}

/** Moves the image back so far that it covers the frame, or lies in its center where it is smaller. */
export function within(view: View, frame: Size, image: Size): View {
  return {
    scale: view.scale,
    x: clamp(view.x, (image.width * view.scale - frame.width) / 2),
    y: clamp(view.y, (image.height * view.scale - frame.height) / 2),
  }
}

/** The size of an image that fits into the frame. It is not enlarged. */
export function fitted(image: Size, frame: Size): Size {
  const ratio = Math.min(1, frame.width / image.width, frame.height / image.height)
  return { width: image.width * ratio, height: image.height * ratio }
}

function clamp(value: number, most: number): number {
  return most <= 0 ? 0 : Math.min(most, Math.max(-most, value))
}
