import type { FriendLinkPreview } from '@hither/contract/friend-links.ts'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useNavigate } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { clearFriendCode } from '../session/friend-code.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { AddLayout } from './AddLayout.tsx'
import { lineOf, needsApproval } from './friend-link.rules.ts'
import { failureText, useAcceptFriendLink } from './friend-links.api.ts'
import { addStrings as strings } from './strings.ts'

interface Props {
  code: string
  preview: FriendLinkPreview
  onLeave: () => void
  /** The link has become invalid since it was opened. */
  onRefused: () => void
}

/** A signed-in user who can use the link. */
export function AddPerson({ code, preview, onLeave, onRefused }: Props) {
  const { username } = preview
  const acceptance = useAcceptFriendLink()
  const { showNotice } = useSnackbar()
  const navigate = useNavigate()

  async function handleAdd() {
    try {
      const { status } = await acceptance.mutateAsync(code)
      clearFriendCode()
      showNotice(status === 'accepted' ? strings.accepted(username) : strings.requestSent)
      void navigate('/friends', { replace: true })
    } catch (error) {
      if (error instanceof ApiError && [400, 404].includes(error.status)) onRefused()
    }
  }

  return (
    <AddLayout heading={strings.add(username)} line={lineOf(preview)} person={preview}>
      <Stack spacing={1.5}>
        {acceptance.isError && <ErrorAlert message={failureText(acceptance.error)} />}
        <LoadingButton
          variant="contained"
          size="large"
          isWorking={acceptance.isPending}
          onClick={() => void handleAdd()}
        >
          {needsApproval(preview) ? strings.sendRequest : strings.addFriend(username)}
        </LoadingButton>
        <Button size="large" onClick={onLeave}>
          {strings.notNow}
        </Button>
      </Stack>
    </AddLayout>
  )
}
