import CheckRounded from '@mui/icons-material/CheckRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import QuestionMarkRounded from '@mui/icons-material/QuestionMarkRounded'

/** The colors and icons of the responses, in the order of their buttons. */
export const responseChoices = [
  { type: 'accepted', colour: 'success', Icon: CheckRounded },
  { type: 'tentative', colour: 'warning', Icon: QuestionMarkRounded },
  { type: 'declined', colour: 'text', Icon: CloseRounded },
] as const
