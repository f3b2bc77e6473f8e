import Box from '@mui/material/Box'
import { keyframes } from '@mui/material/styles'
import {
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { pressedKey } from './pressed-key.ts'

interface Props {
  /** The name of the button inside. Screen readers get it from the button itself. */
  title: string
  placement?: 'left' | 'bottom'
  children: ReactNode
}

const mouseMs = 100
const touchMs = 700
const edgePx = 8
const appear = keyframes({ from: { opacity: 0 } })

/** Names an icon-only button on hover, on a long press and on keyboard focus. */
export function Tooltip({ title, placement = 'bottom', children }: Props) {
  const [button, setButton] = useState<Element | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function show({ target }: SyntheticEvent, afterMs: number) {
    const found = target instanceof Element ? target.closest('button, a') : null
    clearTimeout(timer.current)
    if (found !== null) timer.current = setTimeout(() => setButton(found), afterMs)
  }

  function hide() {
    clearTimeout(timer.current)
    setButton(null)
  }

  function handleOver(event: PointerEvent) {
    if (event.pointerType === 'mouse' && button === null) show(event, mouseMs)
  }

  return (
    // The wrapper only holds the handlers and does not change the layout.
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the control
    <span
      style={{ display: 'contents' }}
      onPointerOver={handleOver}
      onPointerLeave={hide}
      onPointerDown={(event) => event.pointerType === 'touch' && show(event, touchMs)}
      onPointerUp={() => clearTimeout(timer.current)}
      onClick={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(event, 0)}
      onBlur={hide}
      onKeyDown={(event) => pressedKey(event) === 'Escape' && hide()}
    >
      {children}
      {button !== null && createPortal(<Bubble title={title} placement={placement} button={button} />, document.body)}
    </span>
  )
}

function Bubble({ title, placement, button }: { title: string; placement: 'left' | 'bottom'; button: Element }) {
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const { style, offsetWidth, offsetHeight } = bubble.current as HTMLDivElement
    const { left, top, bottom, width, height } = button.getBoundingClientRect()
    const x = placement === 'left' ? left - offsetWidth : left + (width - offsetWidth) / 2
    const y = placement === 'left' ? top + (height - offsetHeight) / 2 : bottom
    style.left = `${Math.max(edgePx, Math.min(x, document.documentElement.clientWidth - offsetWidth - edgePx))}px`
    style.top = `${y}px`
  }, [placement, button])

  return (
    <Box
      ref={bubble}
      role="tooltip"
      sx={{
        position: 'fixed',
        zIndex: 'tooltip',
        // The tooltip's padding is the distance from the button, so that a mouse can move from the button to the
        // tooltip.
        [placement === 'left' ? 'pr' : 'pt']: '14px',
        animation: `${appear} 150ms ease-out`,
      }}
    >
      <Box
        sx={{
          maxWidth: 300,
          px: 1,
          py: 0.5,
          borderRadius: '12px',
          bgcolor: 'rgba(97, 97, 97, 0.92)',
          color: '#fff',
          fontSize: '0.6875rem',
          fontWeight: 500,
          lineHeight: 1.5,
          overflowWrap: 'break-word',
        }}
      >
        {title}
      </Box>
    </Box>
  )
}
