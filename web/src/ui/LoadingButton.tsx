import Box from '@mui/material/Box'
import Button, { type ButtonProps } from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import { type MouseEvent } from 'react'

interface Props extends Omit<ButtonProps, 'loading' | 'disabled'> {
  isWorking: boolean
}

/**
 * Shows at once that it is working and takes no second press. Unlike MUI's own loading button it is never `disabled`:
 * that would drop the keyboard's focus to the page.
 */
export function LoadingButton({ isWorking, onClick, children, ...props }: Props) {
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isWorking) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <Button {...props} onClick={handleClick} aria-disabled={isWorking} aria-busy={isWorking}>
      <Box component="span" sx={{ opacity: isWorking ? 0 : 1 }}>
        {children}
      </Box>
      {isWorking && <CircularProgress aria-hidden color="inherit" size={22} sx={{ position: 'absolute' }} />}
    </Button>
  )
}
