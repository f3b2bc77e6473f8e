import Box from '@mui/material/Box'
import Button, { type ButtonProps } from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import { type MouseEvent, useRef } from 'react'

interface Props extends Omit<ButtonProps, 'loading' | 'disabled'> {
  isWorking: boolean
  isDisabled?: boolean
}

/**
 * A button that shows progress at once and ignores further clicks while `isWorking`, and all clicks while `isDisabled`. Unlike
 * MUI's loading button it is never `disabled`, because a disabled button loses the keyboard focus to the page.
 */
export function LoadingButton({ isWorking, isDisabled = false, onClick, children, ...props }: Props) {
  const wasJustClicked = useRef(false)

  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isWorking || isDisabled || wasJustClicked.current) return event.preventDefault()
    // A second tap may arrive before the button is rendered as working.
    wasJustClicked.current = true
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        wasJustClicked.current = false
      }),
    )
    onClick?.(event)
  }
  return (
    <Button {...props} onClick={handleClick} aria-disabled={isWorking || isDisabled} aria-busy={isWorking}>
      <Box component="span" sx={{ opacity: isWorking ? 0 : isDisabled ? 0.5 : 1 }}>
        {children}
      </Box>
      {isWorking && <CircularProgress aria-hidden color="inherit" size={22} sx={{ position: 'absolute' }} />}
    </Button>
  )
}
