import Button from '@mui/material/Button'
import { Link } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'
import { shellStrings } from './strings.ts'

interface Props {
  message?: string
}

/** In the place of a screen. */
export function NothingHere({ message = shellStrings.notFound }: Props) {
  return (
    <ErrorPage heading={shellStrings.routerError} message={message}>
      <Button component={Link} to="/">
        {shellStrings.goHome}
      </Button>
      <Button variant="contained" onClick={() => location.reload()}>
        {shellStrings.reload}
      </Button>
    </ErrorPage>
  )
}
