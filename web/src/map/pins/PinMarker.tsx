import { Marker } from '@vis.gl/react-maplibre'
import { type MouseEvent, memo } from 'react'
import { useUserImage } from '../../api/images.ts'
import { avatarColour, initialsOf } from '../../ui/avatar-style.ts'
import type { Pin } from './pins.ts'

interface Props extends Pin {
  dx: number
  dy: number
  isOpen: boolean
  /** Whether its caption would cover a neighbour. */
  isCrowded: boolean
  /** Whether the marker is fading out and can no longer be clicked. */
  isLeaving: boolean
  onOpen: (id: string) => void
}

const teardrop =
  'M22 1.2C12.2 1.2 4.4 8.8 4.4 18.3 4.4 29.6 17.6 39.8 22 43.2c4.4-3.4 17.6-13.6 17.6-24.9C39.6 8.8 31.8 1.2 22 1.2Z'

/** Memoized: there may be hundreds of markers, and the clock ticks every second. */
export const PinMarker = memo(function PinMarker({ dx, dy, isOpen, isCrowded, isLeaving, onOpen, ...pin }: Props) {
  const isArea = pin.radiusM !== null
  const image = useUserImage(pin.userId, pin.look === 'pending' ? false : pin.hasImage)

  function handleClick(event: MouseEvent) {
    // Otherwise the map would handle a click on the place below.
    event.stopPropagation()
    onOpen(pin.id)
  }

  return (
    <Marker
      longitude={pin.longitude}
      latitude={pin.latitude}
      anchor={isArea ? 'center' : 'bottom'}
      offset={[dx, dy]}
      className="pin-place"
      subpixelPositioning
    >
      <button
        type="button"
        {...(!isLeaving && { id: markerIdOf(pin.id) })}
        className={`pin pin-${pin.look}${isArea ? ' pin-area' : ''}`}
        data-crowded={isCrowded || undefined}
        data-leaving={isLeaving || undefined}
        disabled={isLeaving}
        aria-label={pin.label}
        aria-expanded={isOpen}
        onClick={handleClick}
      >
        {/* The visible text of a button must be part of its accessible name. These letters abbreviate it, so the
            style sheet renders them. */}
        <span className="pin-drop">
          <svg viewBox="0 0 44 44" aria-hidden>
            {/* A CSS filter for the shadow would cost more than the rest of the map in every frame. */}
            <Body className="pin-shadow" isArea={isArea} transform="translate(0 2)" />
            <Body className="pin-body" isArea={isArea} />
            <g {...(isArea && { transform: 'translate(0 3.6)' })}>
              {pin.look === 'pending' ? (
                <>
                  <circle className="pin-clock" cx="22" cy="18.4" r="9.5" />
                  <path className="pin-clock" d="M22 12.8v5.8l3.8 2.4" />
                </>
              ) : (
                <>
                  <circle cx="22" cy="18.4" r="11.2" fill={avatarColour(pin.userId)} />
                  {image !== undefined && (
                    <image className="pin-avatar" href={image} x="10.8" y="7.2" width="22.4" height="22.4" />
                  )}
                  <circle className="pin-ring pin-track" cx="22" cy="18.4" r="13" />
                  <circle
                    className="pin-ring pin-left"
                    cx="22"
                    cy="18.4"
                    r="13"
                    pathLength={100}
                    strokeDasharray={`${pin.fractionLeft * 100} 100`}
                    transform="rotate(-90 22 18.4)"
                  />
                </>
              )}
            </g>
          </svg>
          {pin.look !== 'pending' && image === undefined && (
            <span className="pin-initials" data-text={initialsOf(pin.name)} aria-hidden />
          )}
        </span>
        <span className="pin-caption" data-text={pin.caption} aria-hidden />
        {pin.note !== null && <span className="pin-caption pin-note" data-text={pin.note} aria-hidden />}
      </button>
    </Marker>
  )
})

/** A teardrop with its tip at the place, or a disc over the center of an area. */
function Body({ isArea, ...props }: { className: string; transform?: string; isArea: boolean }) {
  return isArea ? <circle cx="22" cy="22" r="17.5" {...props} /> : <path d={teardrop} {...props} />
}

export function markerIdOf(pinId: string): string {
  return `pin-${pinId}`
}
