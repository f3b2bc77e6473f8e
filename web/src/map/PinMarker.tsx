import { Marker } from '@vis.gl/react-maplibre'
import { type MouseEvent, memo } from 'react'
import { useUserImage } from '../api/images.ts'
import { avatarColour, initialsOf } from '../ui/avatar-look.ts'
import { type Pin } from './pins.ts'

interface Props extends Pin {
  dx: number
  dy: number
  isOpen: boolean
  /** Its caption would lie on a neighbour. */
  isCrowded: boolean
  /** On its way out: to be seen, no longer to be pressed. */
  isLeaving: boolean
  onOpen: (id: string) => void
}

const teardrop =
  'M22 1.2C12.2 1.2 4.4 8.8 4.4 18.3 4.4 29.6 17.6 39.8 22 43.2c4.4-3.4 17.6-13.6 17.6-24.9C39.6 8.8 31.8 1.2 22 1.2Z'

/** Redrawn only when something of it changes: there may be hundreds, and the clock ticks every second. */
export const PinMarker = memo(function PinMarker({ dx, dy, isOpen, isCrowded, isLeaving, onOpen, ...pin }: Props) {
  const image = useUserImage(pin.userId, pin.look === 'pending' ? false : pin.hasImage)

  function handleClick(event: MouseEvent) {
    // The map would take it for a press on the place beneath.
    event.stopPropagation()
    onOpen(pin.id)
  }

  return (
    <Marker
      longitude={pin.longitude}
      latitude={pin.latitude}
      anchor="bottom"
      offset={[dx, dy]}
      className="pin-place"
      subpixelPositioning
    >
      <button
        type="button"
        {...(!isLeaving && { id: markerIdOf(pin.id) })}
        className={`pin pin-${pin.look}`}
        data-crowded={isCrowded || undefined}
        data-leaving={isLeaving || undefined}
        disabled={isLeaving}
        aria-label={pin.label}
        aria-expanded={isOpen}
        onClick={handleClick}
      >
        {/* Letters on a button have to be words of its name. These abbreviate it, so the style sheet draws them. */}
        <span className="pin-drop">
          <svg viewBox="0 0 44 44" aria-hidden>
            {/* A filter would cost more than all the rest of the map, a hundred times a frame. */}
            <path className="pin-shadow" d={teardrop} transform="translate(0 2)" />
            <path className="pin-body" d={teardrop} />
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
          </svg>
          {pin.look !== 'pending' && image === undefined && (
            <span className="pin-initials" data-text={initialsOf(pin.username)} aria-hidden />
          )}
        </span>
        <span className="pin-caption" data-text={pin.caption} aria-hidden />
      </button>
    </Marker>
  )
})

export function markerIdOf(pinId: string): string {
  return `pin-${pinId}`
}
