// The picture of a contact: chosen or dropped, made small enough, and stored.
import { tell, tellError } from "/assets/components/undoable.js";
import { chooseFiles } from "/assets/components/files.js";
import { sendBytes, sendJSON } from "/assets/hub.js";

// The side of a stored picture in pixels; address books of phones show at most this.
const side = 512;

/**
 * Asks for a file and sets it as the picture of `contact`.
 * @param {Contacts.Contact} contact
 * @returns {Promise<void>}
 */
export async function choosePicture(contact) {
  const [file] = await chooseFiles({ accept: "image/*" });
  if (file) await setPicture(contact, file);
}

/**
 * Sets `file` as the picture: its middle square, 512 pixels wide. What the browser cannot read goes as it is, and hub decides.
 * @param {Contacts.Contact} contact
 * @param {File} file
 * @returns {Promise<void>}
 */
export async function setPicture(contact, file) {
  try {
    const { operation } = await sendBytes("PUT", `/api/contacts/${encodeURIComponent(contact.id)}/photo`, await small(file));
    tell(`${contact.name}: picture set.`, { operation });
  } catch (error) {
    tellError(error);
  }
}

/**
 * Removes the picture.
 * @param {Contacts.Contact} contact
 * @returns {Promise<void>}
 */
export async function removePicture(contact) {
  try {
    const { operation } = await sendJSON("DELETE", `/api/contacts/${encodeURIComponent(contact.id)}/photo`);
    tell(`${contact.name}: picture removed.`, { operation });
  } catch (error) {
    tellError(error);
  }
}

async function small(file) {
  let image;
  try {
    image = await createImageBitmap(file);
  } catch {
    return file;
  }
  const from = Math.min(image.width, image.height);
  const to = Math.min(from, side);
  const canvas = Object.assign(document.createElement("canvas"), { width: to, height: to });
  canvas.getContext("2d")?.drawImage(image, (image.width - from) / 2, (image.height - from) / 2, from, from, 0, 0, to, to);
  image.close();
  return new Promise((done) => {
    canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", 0.88);
  });
}
