package org.ringwire.discovery;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A name server (RFC 1035) on the loopback interface that knows the SRV records of one name. */
final class NameServer implements AutoCloseable {
  private static final int SRV = 33;
  private static final int HEADER_LENGTH = 12;
  private static final int NAME_ERROR = 3;

  private final DatagramSocket socket;
  private final Thread thread = new Thread(this::serve);
  private final String name;

  /** Priority, weight, port and host of each record; none for an error, null for silence. */
  private volatile @Nullable List<String> records = List.of();

  NameServer(String name) throws IOException {
    this.name = name;
    socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    thread.start();
  }

  /** Host and port. */
  String address() {
    return socket.getLocalAddress().getHostAddress() + ":" + socket.getLocalPort();
  }

  void set(@Nullable List<String> newRecords) {
    records = newRecords;
  }

  private void serve() {
    byte[] buffer = new byte[512];
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        List<String> now = records;
        if (now != null) {
          byte[] answer = answer(ByteBuffer.wrap(buffer, 0, packet.getLength()), now);
          socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      }
    } catch (SocketException e) {
      // closed
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] answer(ByteBuffer question, List<String> now) throws IOException {
    int end = HEADER_LENGTH;
    StringBuilder asked = new StringBuilder();
    for (int length = question.get(end); length > 0; length = question.get(end)) {
      byte[] label = new byte[length];
      question.get(end + 1, label);
      asked.append(asked.isEmpty() ? "" : ".").append(new String(label, StandardCharsets.US_ASCII));
      end += 1 + length;
    }
    int type = question.getShort(end + 1);
    boolean known = asked.toString().equalsIgnoreCase(name) && !now.isEmpty();
    List<String> answers = known && type == SRV ? now : List.of();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(question.getShort(0));
    out.writeShort(0x8400 | (known ? 0 : NAME_ERROR)); // a response with authority
    out.writeShort(1);
    out.writeShort(answers.size());
    out.writeInt(0);
    byte[] asIs = new byte[end + 5 - HEADER_LENGTH];
    question.get(HEADER_LENGTH, asIs);
    out.write(asIs);
    for (String record : answers) {
      writeRecord(out, record.split(" "));
    }
    return bytes.toByteArray();
  }

  private static void writeRecord(DataOutputStream out, String[] parts) throws IOException {
    ByteArrayOutputStream host = new ByteArrayOutputStream();
    for (String label : parts[3].split("\\.")) {
      byte[] text = label.getBytes(StandardCharsets.US_ASCII);
      host.write(text.length);
      host.write(text);
    }
    if (host.size() == 1) {
      host.reset(); // the root
    }
    host.write(0);
    out.writeShort(0xC000 | HEADER_LENGTH); // the name asked for
    out.writeShort(SRV);
    out.writeShort(1);
    out.writeInt(1);
    out.writeShort(6 + host.size());
    for (int i = 0; i < 3; i++) {
      out.writeShort(Integer.parseInt(parts[i]));
    }
    out.write(host.toByteArray());
  }

  @Override
  public void close() {
    socket.close();
  }
}
